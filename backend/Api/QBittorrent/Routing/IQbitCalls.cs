namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>A group of calls.</summary>
internal interface IQbitCalls
{
    /// <summary>The routes of all calls.</summary>
    IEnumerable<QbitRoute> Routes { get; }
}
