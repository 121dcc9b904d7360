*! SPDX-License-Identifier: Apache-2.0
*! lacuna 0.2.0: a table of counts or sums from which nothing withheld can be computed (docs/stata.md)
* Stata 16 or later, with a Python that has the package lacuna-sdc: python set exec, pip install lacuna-sdc.
program define lacuna, rclass
    version 16.0
    syntax varlist(min=1 max=4) [if] [in] [, VALue(varname numeric) UNIT(varname) THREshold(integer 0) ///
        P(real 0) NK(numlist min=2 max=2) DECimals(integer -1) METHod(string) BASE(integer 0) ///
        EFFort(string) SAVing(string asis) CLEAR TOTal(string) NOSUMmary]
    if `threshold' <= 0 & `p' <= 0 & "`nk'" == "" {
        display as error "say what is sensitive: threshold(10), p(10) or nk(2 90)"
        exit 198
    }
    if `"`total'"' == "" {
        local total "Total"
    }
    marksample touse, novarlist strok
    python: lacuna_tabulate("`varlist'", "`touse'")
    return local verdict "`lacuna_verdict'"
    return scalar cells = `lacuna_cells'
    return scalar withheld = `lacuna_withheld'
    if "`nosummary'" == "" {
        display as text "`lacuna_summary'"
    }
end

version 16.0
python:
from sfi import Data, Macro, Missing, SFIToolkit, ValueLabel


def _lacuna_option(name):
    return Macro.getLocal(name).strip()


def _lacuna_label(variable):
    """What is shown of a code: its value label, or the number without a fraction of zeros."""
    names = ValueLabel.getVarValueLabel(variable)
    words = ValueLabel.getValueLabels(names) if names else {}

    def text(item):
        if isinstance(item, str):
            return item.strip()
        return words.get(int(item) if item == int(item) else item, format(item, "g"))

    return text


def _lacuna_columns(names, touse):
    """The rows of the sample, as columns; missing values of Stata are None."""
    columns = {}
    for name in names:
        text = Data.isVarTypeString(name)
        rows = Data.get(name, selectvar=touse, missingval=None)
        rows = rows if isinstance(rows, list) else [rows]
        columns[name] = [None if item is None or (text and not item.strip()) else item for item in rows]
    return columns


def _lacuna_rules(lc):
    rules = []
    threshold, p, nk = (_lacuna_option(name) for name in ("threshold", "p", "nk"))
    if int(threshold or 0) > 0:
        rules.append(lc.frequency(int(threshold)))
    if float(p or 0) > 0:
        rules.append(lc.p_percent(p))
    if nk:
        rules.append(lc.dominance(int(nk.split()[0]), nk.split()[1]))
    return rules


def _lacuna_release(dims, touse):
    import lacuna_sdc as lc

    value, unit = _lacuna_option("value"), _lacuna_option("unit")
    names = [*dims, *(name for name in (value, unit) if name)]
    columns = _lacuna_columns(names, touse)
    needed = [*dims, value] if value else dims
    kept = [i for i in range(len(columns[dims[0]])) if all(columns[name][i] is not None for name in needed)]
    records = {name: [columns[name][i] for i in kept] for name in names}
    total = _lacuna_option("total")
    for name in dims:
        text = _lacuna_label(name)
        records[name] = [text(item) for item in records[name]]
        if total in records[name]:
            raise lc.InputError(f"a code of {name} is '{total}', as the total is: use total()", "total")
    if unit:
        records[unit] = [str(item) for item in records[unit]]
    more = {"decimals": int(_lacuna_option("decimals")), "round": True} if int(_lacuna_option("decimals") or -1) >= 0 else {}
    table = lc.tabulate(records, dims={name: total for name in dims}, value=value or None, unit=unit or None,
                        rules=_lacuna_rules(lc), empty_cells=True, **more)
    options = {name: _lacuna_option(key) for name, key in (("method", "method"), ("effort", "effort"))
               if _lacuna_option(key)}
    if int(_lacuna_option("base") or 0) > 0:
        options["base"] = int(_lacuna_option("base"))
    return lc.protect(table, **options)


def _lacuna_store(release, dims):
    """The release as the data in memory: codes, value (missing if it is withheld) and state."""
    published = release.published
    value = _lacuna_option("value") or "n"
    rows = len(published["value"])
    Data.setObsTotal(0)
    for name in [Data.getVarName(i) for i in range(Data.getVarCount())]:
        Data.dropVar(name)
    Data.setObsTotal(rows)
    for name in dims:
        Data.addVarStr(name, max(1, *(len(str(code).encode()) for code in published[name])))
        Data.store(name, None, [str(code) for code in published[name]])
    Data.addVarDouble(value)
    Data.store(value, None, [Missing.getValue() if number is None else float(number)
                             for number in published["value"]])
    Data.addVarStr("state", 12)
    Data.store("state", None, [str(state) for state in published["state"]])


def lacuna_tabulate(varlist, touse):
    """Called by the command; its options are in the macros of the same names."""
    import lacuna_sdc as lc

    dims = varlist.split()
    try:
        release = _lacuna_release(dims, touse)
        saving = _lacuna_option("saving").strip('"')
        if saving:
            release.write(saving)
        if _lacuna_option("clear"):
            _lacuna_store(release, dims)
    except lc.NotProtectedError as error:
        SFIToolkit.errprintln(f"lacuna: {error}")
        SFIToolkit.exit(459)
        return
    except lc.Error as error:
        SFIToolkit.errprintln(f"lacuna: {error}")
        SFIToolkit.exit(198)
        return
    withheld = sum(number is None for number in release.published["value"])
    Macro.setLocal("lacuna_verdict", release.verdict)
    Macro.setLocal("lacuna_cells", str(len(release)))
    Macro.setLocal("lacuna_withheld", str(withheld))
    Macro.setLocal("lacuna_summary", release.summary)
end
