namespace NzbDav.Api.Sab.Answers;

/// <summary>Bytes in total, this month, this week (from Monday) and today; over all hosts and by host.</summary>
internal sealed record ServerStatsAnswer(long Total, long Month, long Week, long Day, IReadOnlyDictionary<string, ServerStats> Servers);
