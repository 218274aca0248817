using System.Data.Common;
using Dapper;

namespace NzbDav.Catalog.Database;

/// <summary>The queries available to a read. Valid only during the call that receives it, one query at a time.</summary>
/// <param name="connection">A read connection.</param>
/// <param name="waits">True if queries wait for a server (<see cref="CatalogEngine.Waits"/>). Otherwise every query runs on the caller's
/// thread and is complete when its call returns.</param>
/// <param name="cancellationToken">Cancels a query that waits.</param>
internal sealed class CatalogReader(DbConnection connection, bool waits, CancellationToken cancellationToken)
{
    /// <summary>The raw connection, for tests.</summary>
    internal DbConnection Connection => connection;

#pragma warning disable VSTHRD103 // SQLite blocks in its asynchronous methods as well, and they cost more.
    /// <summary>The first column of the first row; the default without a row, or for NULL.</summary>
    public ValueTask<T?> ScalarAsync<T>(string sql, object? parameters = null) =>
        waits ? new(connection.ExecuteScalarAsync<T>(Command(sql, parameters))) : new(connection.ExecuteScalar<T>(sql, parameters));

    /// <summary>The first row; the default without one.</summary>
    public ValueTask<T?> FirstAsync<T>(string sql, object? parameters = null) =>
        waits ? new(connection.QueryFirstOrDefaultAsync<T>(Command(sql, parameters))) : new(
            connection.QueryFirstOrDefault<T>(sql, parameters));

    /// <summary>The first row of a query that always returns one.</summary>
    public ValueTask<T> SingleAsync<T>(string sql, object? parameters = null) =>
        waits ? new(connection.QueryFirstAsync<T>(Command(sql, parameters))) : new(connection.QueryFirst<T>(sql, parameters));

    /// <summary>All rows.</summary>
    public async ValueTask<List<T>> AllAsync<T>(string sql, object? parameters = null) =>
        (waits ? await connection.QueryAsync<T>(Command(sql, parameters)) : connection.Query<T>(sql, parameters)).AsList();

    /// <summary>Calls back for each row, for results too large to hold as objects.</summary>
    public async ValueTask EachAsync(string sql, Action<DbDataReader> row)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        await using var rows = waits ? await command.ExecuteReaderAsync(cancellationToken) : command.ExecuteReader();
        while (waits ? await rows.ReadAsync(cancellationToken) : rows.Read())
            row(rows);
    }
#pragma warning restore VSTHRD103

    private CommandDefinition Command(string sql, object? parameters) => new(sql, parameters, cancellationToken: cancellationToken);
}

/// <summary>
/// How one page of a sorted list is read. A page in the second half is read from the end, to avoid reading the rows before it.
/// </summary>
/// <param name="Skip">Rows to skip, in the direction of reading.</param>
/// <param name="Take">Rows to read; 0: the page is past the end.</param>
/// <param name="IsBackwards">The query must use the reverse order.</param>
internal readonly record struct PageSlice(int Skip, int Take, bool IsBackwards)
{
    /// <summary>The slice of a page.</summary>
    /// <param name="offset">Rows before it, from 0.</param>
    /// <param name="limit">Rows of a full page.</param>
    /// <param name="total">Rows of the list.</param>
    public static PageSlice Of(int offset, int limit, int total)
    {
        var take = Math.Clamp(total - offset, 0, limit);
        return offset > total / 2
            ? new PageSlice(Math.Max(0, total - offset - take), take, IsBackwards: true) : new PageSlice(offset, take, IsBackwards: false);
    }

    /// <summary>The ids in the list's order. Reverses the given list in place if needed.</summary>
    public List<long> InOrder(List<long> ids)
    {
        if (IsBackwards)
            ids.Reverse();
        return ids;
    }
}
