{# SPDX-License-Identifier: Apache-2.0 #}
{# The sums of `value` (without it: numbers of rows) by all combinations of `dims`, with all totals under their
   codes; with `unit`, how many different contributors each has, as the column `contributors`. #}
{% macro cube(relation, dims, value=none, unit=none, name='value') %}
  select
  {%- for column, total in dims.items() %}
    case when grouping({{ adapter.quote(column) }}) = 1 then '{{ total | replace("'", "''") }}'
         else cast({{ adapter.quote(column) }} as varchar) end as {{ adapter.quote(column) }},
  {%- endfor %}
    {% if value is none %}count(*){% else %}sum({{ adapter.quote(value) }}){% endif %} as {{ adapter.quote(name) }}
    {%- if unit is not none %},
    count(distinct {{ adapter.quote(unit) }}) as contributors{% endif %}
  from {{ relation }}
  group by cube ({% for column in dims %}{{ adapter.quote(column) }}{{ ", " if not loop.last }}{% endfor %})
{% endmacro %}
