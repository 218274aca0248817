using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.Calls;

/// <summary>SABnzbd's numbers: -100 default, -4 stop, -3 duplicate, -2 paused, -1 low, 0 normal, 1 high, 2 force, 3 repair.</summary>
internal static class SabPriority
{
    /// <summary>The queue priority for a number of SABnzbd's, and whether the job is paused.</summary>
    public static (int Priority, bool Paused) Of(int number) => number switch
    {
        -100 => (JobPriority.Normal, false),
        <= -2 => (JobPriority.Normal, true),
        _ => (Math.Min(number, 3), false),
    };
}
