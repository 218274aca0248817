namespace NzbDav.Catalog.Database;

/// <summary>Parts of statements that the engines write differently. Everything else is SQL that all of them speak.</summary>
internal abstract class SqlDialect
{
    /// <summary>The condition that a column contains a text, byte by byte.</summary>
    public abstract string Contains(string column, string parameter);

    /// <summary>The condition that a column is like a pattern, whose special characters a backslash makes plain. Case of ASCII letters does not count.</summary>
    public abstract string Like(string column, string pattern);

    /// <summary>The condition that a column is one of several values.</summary>
    /// <param name="column">The column.</param>
    /// <param name="parameter">Names a parameter that is an array.</param>
    public abstract string In(string column, string parameter);

    /// <summary>
    /// The clock of the database in milliseconds since 1970, UTC. Runs on within a transaction. With a server it is the server's, so it is the same for all gateways.
    /// </summary>
    public abstract string Clock { get; }

    /// <summary>A column in a condition for which no index is to be used, where the engine would choose a worse one than that of the order.</summary>
    public virtual string Unindexed(string column) => column;

    /// <summary>The time in ticks, UTC: by the clock of the database server, which is the same for all gateways; without a server the parameter <c>@now</c>.</summary>
    public virtual string Now => "@now";

    /// <summary>Behind a SELECT whose rows are going to be changed: locks them, and passes over rows that another transaction has locked.</summary>
    public virtual string SkipLocked => "";
}
