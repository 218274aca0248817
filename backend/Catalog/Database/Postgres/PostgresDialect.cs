namespace NzbDav.Catalog.Database.Postgres;

/// <summary>How PostgreSQL writes what the engines write differently.</summary>
internal sealed class PostgresDialect : SqlDialect
{
    public static PostgresDialect Instance { get; } = new();

    /// <inheritdoc/>
    public override string SkipLocked => " FOR UPDATE SKIP LOCKED";

    /// <summary>The real time, not that of the transaction's begin; 621,355,968,000,000,000 ticks before 1970.</summary>
    /// <inheritdoc/>
    public override string Now => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 10000000 AS BIGINT) + 621355968000000000";

    /// <inheritdoc/>
    public override string Clock => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

    /// <inheritdoc/>
    public override string Contains(string column, string parameter) => $"strpos({column}, {parameter}) > 0";

    /// <inheritdoc/>
    public override string In(string column, string parameter) => $"{column} = ANY({parameter})";

    /// <inheritdoc/>
    public override string Like(string column, string pattern) => $@"{column} ILIKE {pattern} ESCAPE '\'";
}
