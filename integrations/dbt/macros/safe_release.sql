{# SPDX-License-Identifier: Apache-2.0 #}
{# A row for each cell that the model gives away, and none if it is safe. `truth` is the table with all its
   totals, `dims` the columns of codes, each with the code of its total. The rest is as in lacuna_sdc.dbt.leaks. #}
{% test safe_release(model, truth, dims, value, frequency=none, status=none, threshold=none, policy=none, decimals=none) %}
  {{ config(store_failures_as='table' if should_store_failures() else none) }}
  {{ return(adapter.dispatch('leaks_of', 'lacuna')(model, truth, dims, value, frequency, status, threshold, policy, decimals)) }}
{% endtest %}

{% macro default__leaks_of(model, truth, dims, value, frequency, status, threshold, policy, decimals) %}
  {{ exceptions.raise_compiler_error(
    "lacuna.safe_release runs in DuckDB; elsewhere, test a Python model that returns lacuna_sdc.dbt.leaks(...)") }}
{% endmacro %}

{% macro duckdb__leaks_of(model, truth, dims, value, frequency, status, threshold, policy, decimals) %}
  {% set asked = {'dims': dims, 'value': value} %}
  {% for name, given in {'frequency': frequency, 'status': status, 'threshold': threshold, 'policy': policy, 'decimals': decimals}.items() %}
    {% if given is not none %}{% do asked.update({name: given}) %}{% endif %}
  {% endfor %}
  {% set more = [] %}
  {% for column in [frequency, status] %}{% if column is not none %}{% do more.append(column) %}{% endif %}{% endfor %}
  select unnest(lacuna_leaks(
    (select cast(to_json(list(cells)) as varchar) from (
      select {{ lacuna.cell_columns(dims, value, more) }} from {{ truth }}) as cells),
    (select cast(to_json(list(cells)) as varchar) from (
      select {{ lacuna.cell_columns(dims, value, []) }} from {{ model }}) as cells),
    '{{ asked | tojson | replace("'", "''") }}'
  )) as leak
{% endmacro %}

{# Texts, so that no number passes through floating point. #}
{% macro cell_columns(dims, value, more) %}
  {%- for column in (dims.keys() | list) + [value] + more %}
    cast({{ adapter.quote(column) }} as varchar) as {{ adapter.quote(column) }}{{ "," if not loop.last }}
  {%- endfor %}
{% endmacro %}
