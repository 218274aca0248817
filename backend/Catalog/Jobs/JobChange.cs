using System.Globalization;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Jobs;

/// <summary>Something happened to a job.</summary>
/// <param name="JobId">Which.</param>
/// <param name="State">Where it stands now; null: it was deleted.</param>
public readonly record struct JobChange(long JobId, JobState? State)
{
    /// <summary>True if another process did it: what has to be done once, that process does.</summary>
    public bool IsForeign { get; init; }

    /// <summary>What others are told of it.</summary>
    internal void Tell(CatalogTransaction transaction) => Tell(transaction, JobId, State is { } state ? JobRow.Text(state) : "");

    /// <inheritdoc cref="Tell(CatalogTransaction)"/>
    internal static void Tell(CatalogTransaction transaction, long id, string state) => transaction.Tell(NoticeKind.Job, string.Create(CultureInfo.InvariantCulture, $"{id}:{state}"));

    /// <summary>What another process told.</summary>
    internal static JobChange Heard(string text)
    {
        var parts = text.Split(':');
        return new JobChange(long.Parse(parts[0], CultureInfo.InvariantCulture), parts[1].Length > 0 ? JobRow.StateOf(parts[1]) : null) { IsForeign = true };
    }
}
