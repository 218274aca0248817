using System.ComponentModel;
using Microsoft.AspNetCore.Mvc;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Native.Jobs;

/// <summary>The query parameters of the list of jobs.</summary>
internal sealed class JobsQuery
{
    [Description("Jobs in these states, separated by commas: queued, waiting, paused, running, completed, failed.")]
    [FromQuery(Name = "state")]
    public string? State { get; init; }

    [Description("Jobs that were added as this: nzb, torrent or magnet.")]
    [FromQuery(Name = "kind")]
    public string? Kind { get; init; }

    [Description("Jobs of this category.")]
    [FromQuery(Name = "category")]
    public string? Category { get; init; }

    [Description("Jobs with this text in their names, whatever the case of ASCII letters.")]
    [FromQuery(Name = "search")]
    public string? Search { get; init; }

    [Description("turn (the default: the queue in its order, then what ended, latest first), name, size, added, finished or category.")]
    [FromQuery(Name = "sort")]
    public string? Sort { get; init; }

    [Description("Reverse the order; not for turn.")]
    [FromQuery(Name = "descending")]
    public bool? Descending { get; init; }

    [Description("How many jobs to skip; 0 by default.")]
    [FromQuery(Name = "offset")]
    public int? Offset { get; init; }

    [Description("The most jobs to return, 1 to 500; 100 by default.")]
    [FromQuery(Name = "limit")]
    public int? Limit { get; init; }
}

/// <summary>Parses the query parameters of the list of jobs.</summary>
internal static class JobsQueryReader
{
    private const int UsualLimit = 100;
    private const int MostLimit = 500;

    /// <returns>The filter and the part, or what is wrong with the query.</returns>
    public static (JobFilter? Filter, JobPaging Paging, string? Error) Read(JobsQuery query)
    {
        if (query.Offset is < 0 || query.Limit is < 1 or > MostLimit)
            return Refuse($"offset must be 0 or more, and limit 1 to {MostLimit}.");
        var standings = new List<JobStatus>();
        foreach (var word in query.State?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [])
        {
            if (!TryRead<JobStatus>(word, out var standing))
                return Refuse(Unknown<JobStatus>("state", word));
            standings.Add(standing);
        }

        JobKind? kind = null;
        if (NullIfEmpty(query.Kind) is { } ofKind)
        {
            if (!TryRead<JobKind>(ofKind, out var known))
                return Refuse(Unknown<JobKind>("kind", ofKind));
            kind = known;
        }

        var sort = JobListSort.Turn;
        if (NullIfEmpty(query.Sort) is { } by && !TryRead(by, out sort))
            return Refuse(Unknown<JobListSort>("sort", by));
        return (
            new JobFilter
            {
                Standings = standings.Count > 0 ? standings : null,
                Kinds = kind is { } only ? [only] : null,
                Categories = NullIfEmpty(query.Category) is { } category ? [category] : null,
                Search = NullIfEmpty(query.Search),
            },
            new JobPaging
            {
                Sort = sort,
                Descending = query.Descending ?? false,
                Offset = query.Offset ?? 0,
                Limit = query.Limit ?? UsualLimit,
            },
            null);
    }

    private static (JobFilter? Filter, JobPaging Paging, string? Error) Refuse(string error) => (null, new JobPaging(), error);

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    /// <summary>Accepts names only: <c>Enum.TryParse</c> would accept numbers too.</summary>
    private static bool TryRead<T>(string word, out T value)
        where T : struct, Enum => Enum.TryParse(word, ignoreCase: true, out value) && char.IsLetter(word[0]) && Enum.IsDefined(value);

    private static string Unknown<T>(string what, string word)
        where T : struct, Enum =>
            $"{what} cannot be '{word}': it is one of " +
            $"{string.Join(", ", Enum.GetNames<T>().Select(name => char.ToLowerInvariant(name[0]) + name[1..]))}.";
}
