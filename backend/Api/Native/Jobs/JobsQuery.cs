using System.ComponentModel;
using Microsoft.AspNetCore.Mvc;

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
