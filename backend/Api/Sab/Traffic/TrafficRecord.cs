namespace NzbDav.Api.Sab.Traffic;

/// <summary>Traffic of one provider in total, and on each of the latest days (UTC, <c>2026-01-31</c>).</summary>
internal sealed record TrafficRecord(long Total, SortedDictionary<string, TrafficDay> Days);
