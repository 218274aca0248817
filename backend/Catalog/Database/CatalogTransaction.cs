using System.Data.Common;
using System.Globalization;
using Dapper;

namespace NzbDav.Catalog.Database;

/// <summary>The operations available inside a write transaction. Valid only during the call that receives it.</summary>
internal sealed class CatalogTransaction(CatalogEngine engine, DbConnection connection, Action<string>? beforeStatement)
{
    private readonly Dictionary<string, long> _changed = new(StringComparer.Ordinal);
    private readonly List<CatalogNotice> _notices = [];

    /// <summary>The scopes changed here, with their new versions.</summary>
    public IReadOnlyDictionary<string, long> Changed => _changed;

    /// <summary>Collections whose children changed here.</summary>
    public HashSet<long> Parents { get; } = [];

    /// <summary>Notices for other processes, sent once this is committed.</summary>
    public IEnumerable<CatalogNotice> Notices => _changed.Select(
        static scope => new CatalogNotice(NoticeKind.Scope, string.Create(CultureInfo.InvariantCulture, $"{scope.Key}={scope.Value}")))
        .Concat(Parents.Select(static id => new CatalogNotice(NoticeKind.Children, id.ToString(CultureInfo.InvariantCulture))))
            .Concat(_notices);

    /// <summary>True if there is a notice of this kind.</summary>
    public bool Notifies(NoticeKind kind) => _notices.Exists(notice => notice.Kind == kind);

    /// <summary>True once the work has asked for a rollback.</summary>
    public bool Abandoned { get; private set; }

    /// <summary>Requests a rollback when the work returns.</summary>
    public void Abandon() => Abandoned = true;

    /// <inheritdoc cref="CatalogEngine.Dialect"/>
    public SqlDialect Dialect => engine.Dialect;

    /// <inheritdoc cref="CatalogEngine.LockReferences"/>
    public void LockReferences(bool alone) => engine.LockReferences(connection, alone);

    /// <summary>Notifies other processes of a change once this is committed.</summary>
    public void Notify(NoticeKind kind, string text = "") => _notices.Add(new CatalogNotice(kind, text));

    public int Execute(string sql, object? parameters = null)
    {
        beforeStatement?.Invoke(sql);
        return connection.Execute(sql, parameters);
    }

    /// <summary>Runs one prepared statement for each set of parameters.</summary>
    public void ExecuteAll(string sql, IEnumerable<object> parameters)
    {
        connection.Execute(sql, parameters.Select(Watched));

        object Watched(object one)
        {
            beforeStatement?.Invoke(sql);
            return one;
        }
    }

    public T? Scalar<T>(string sql, object? parameters = null)
    {
        beforeStatement?.Invoke(sql);
        return connection.ExecuteScalar<T>(sql, parameters);
    }

    public T? First<T>(string sql, object? parameters = null)
    {
        beforeStatement?.Invoke(sql);
        return connection.QueryFirstOrDefault<T>(sql, parameters);
    }

    public List<T> All<T>(string sql, object? parameters = null)
    {
        beforeStatement?.Invoke(sql);
        return connection.Query<T>(sql, parameters).AsList();
    }

    /// <summary>Increments the scope's version, which makes every process drop its cache of it.</summary>
    public void MarkChanged(string scope)
    {
        if (!_changed.ContainsKey(scope))
            _changed[scope] = Scalar<long>("UPDATE versions SET value = value + 1 WHERE name = @scope RETURNING value", new { scope });
    }
}
