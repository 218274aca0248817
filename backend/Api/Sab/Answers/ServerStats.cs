namespace NzbDav.Api.Sab.Answers;

/// <summary>Like <see cref="ServerStatsAnswer"/> for one host, and by day.</summary>
internal sealed record ServerStats(
    long Total,
    long Month,
    long Week,
    long Day,
    IReadOnlyDictionary<string, long> Daily,
    IReadOnlyDictionary<string, long> ArticlesTried,
    IReadOnlyDictionary<string, long> ArticlesSuccess);
