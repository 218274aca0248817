namespace NzbDav.Api.Sab;

/// <summary>Bytes: ever, this month, this week (from Monday), today; in all and by host.</summary>
internal sealed record ServerStatsAnswer(long Total, long Month, long Week, long Day, IReadOnlyDictionary<string, ServerStats> Servers);
