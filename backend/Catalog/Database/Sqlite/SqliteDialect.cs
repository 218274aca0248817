namespace NzbDav.Catalog.Database.Sqlite;

/// <summary>How SQLite writes what the engines write differently.</summary>
internal sealed class SqliteDialect : SqlDialect
{
    public static SqliteDialect Instance { get; } = new();

    /// <summary>Less than half the time of LIKE over 100,000 names, and nothing has to be escaped.</summary>
    public override string Contains(string column, string parameter) => $"instr({column}, {parameter}) > 0";

    /// <inheritdoc/>
    public override string Like(string column, string pattern) => $@"{column} LIKE {pattern} ESCAPE '\'";

    /// <summary>Dapper makes a parameter of each value; SQLite takes 32,766.</summary>
    public override string In(string column, string parameter) => $"{column} IN {parameter}";

    /// <summary>2440587.5 is the Julian day of 1970-01-01.</summary>
    public override string Clock => "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

    /// <summary>A unary plus makes it an expression (https://www.sqlite.org/queryplanner-ng.html, "Disqualifying terms").</summary>
    public override string Unindexed(string column) => "+" + column;
}
