{smcl}
{* SPDX-License-Identifier: Apache-2.0}{...}
{title:Title}

{p2colset 5 16 18 2}{...}
{p2col:{hi:lacuna} {hline 2}}a table of counts or sums from which nothing withheld can be computed{p_end}

{title:Syntax}

{p 8 16 2}{cmd:lacuna} {varlist} {ifin} [{cmd:,} {it:options}]

{synoptset 24 tabbed}{...}
{synopthdr}
{synoptline}
{synopt:{opth val:ue(varname)}}add up this variable; without it, observations are counted{p_end}
{synopt:{opth unit(varname)}}the respondents, for rules about sums{p_end}
{synopt:{opt thre:shold(#)}}a cell with fewer contributors is sensitive{p_end}
{synopt:{opt p(#)}}p% rule: the largest contribution may not be known to within # percent{p_end}
{synopt:{opt nk(# #)}}dominance: the first # contribute more than the second # percent{p_end}
{synopt:{opt dec:imals(#)}}digits to which values are meant; they are rounded to them{p_end}
{synopt:{opt meth:od(string)}}suppress (the default), interval, round, small-counts, ...{p_end}
{synopt:{opt base(#)}}base of the rounding{p_end}
{synopt:{opt eff:ort(string)}}fast, normal or best{p_end}
{synopt:{opt sav:ing(filename)}}write what may be published: .csv, .xlsx, .json, ...{p_end}
{synopt:{opt clear}}replace the data in memory by what may be published{p_end}
{synopt:{opt tot:al(string)}}the code of totals; Total is the default{p_end}
{synopt:{opt nosum:mary}}display nothing{p_end}
{synoptline}

{title:Description}

{pstd}{cmd:lacuna} tabulates up to four categorical variables with all margins, withholds sensitive cells and as many
others as are needed so that none of them can be computed, and proves it. If no table is safe, the command ends with
return code 459 and nothing is written. One of {opt threshold()}, {opt p()} and {opt nk()} is needed.

{pstd}Observations with a missing category or value are left out. Value labels are used as codes.

{pstd}The command calls the Python package lacuna-sdc and needs Stata 16 or later: {stata python query}.

{title:Examples}

{phang}{cmd:. lacuna region kind, threshold(10) saving(table.csv)}{p_end}
{phang}{cmd:. lacuna region nace if year == 2024, value(turnover) unit(firm) threshold(3) p(10) clear}{p_end}

{title:Stored results}

{synoptset 18 tabbed}{...}
{synopt:{cmd:r(verdict)}}protected, or unasked if no cell is sensitive{p_end}
{synopt:{cmd:r(cells)}}number of cells{p_end}
{synopt:{cmd:r(withheld)}}number of cells without a number{p_end}
