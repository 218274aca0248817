namespace NzbDav.Api.QBittorrent;

/// <summary>Calls of one kind.</summary>
internal interface IQbitCalls
{
    /// <summary>All of them.</summary>
    IEnumerable<QbitRoute> Routes { get; }
}
