#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sdk_test.py LACUNA EXAMPLES: `lacuna mcp` by the official client for Python (the package mcp, scripts/setup
--with-guests)."""
import asyncio
import json
import os
import pathlib
import shutil
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def use(lacuna, folder):
    server = StdioServerParameters(command=lacuna, args=["mcp", str(folder)])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        begun = await session.initialize()
        name = getattr(begun, "server_info", None) or begun.serverInfo
        assert name.name == "lacuna", begun
        await session.send_ping()
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == ["inspect", "audit", "infer", "protect", "explain", "report"], tools
        made = await call(session, "protect", path="sales.toml", output="public.csv", result="result.json")
        assert made["verdict"] == "protected" and made["withheld"] > made["sensitive"], made
        audited = await call(session, "audit", path="sales.toml", release="public.csv")
        assert audited["verdict"] == "protected", audited
        told = await call(session, "explain", result="result.json", cells=[made["withheld_cells"][0].replace("|", ",")])
        assert told["cells"][0]["cell"] == made["withheld_cells"][0], told
        refused = await session.call_tool("audit", {"path": "../outside.csv"})
        is_error = getattr(refused, "is_error", None)
        assert is_error if is_error is not None else refused.isError, refused


async def call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    return json.loads(result.content[0].text)


def main():
    lacuna, examples = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "tables"
        shutil.copytree(examples, folder, ignore=shutil.ignore_patterns("embed*"))
        asyncio.run(asyncio.wait_for(use(lacuna, folder), 300))
    print("the official client: initialize, ping, tools/list and tools/call as expected")


if __name__ == "__main__":
    main()
