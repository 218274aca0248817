namespace NzbDav.Api.Sab;

/// <summary>What one provider gave in all, and on each of the latest days (UTC, <c>2026-01-31</c>).</summary>
internal sealed record TrafficRecord(long Total, SortedDictionary<string, TrafficDay> Days);
