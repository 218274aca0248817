using System.Runtime.ExceptionServices;
using NzbDav.Catalog.Browsing;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Export;

/// <summary>
/// An open exported library: its manifest is loaded, and no other export can run in its folder. For one caller at a time.
/// </summary>
public sealed class LibraryExport : IDisposable
{
    private readonly ExportOptions _options;
    private readonly IExportDisk _disk;
    private readonly ExportManifest _manifest;
    private readonly Exporter _exporter;

    private LibraryExport(ExportOptions options, IExportDisk disk, ExportManifest manifest, ExportTexts texts) =>
        (_options, _disk, _manifest, _exporter) = (options, disk, manifest, new Exporter(disk, manifest, texts));

    /// <summary>True if something was exported to the folder before.</summary>
    public static bool IsIn(string folder) => ExportManifest.IsIn(folder);

    /// <summary>Opens the folder, which must exist.</summary>
    /// <exception cref="IOException">It does not exist, cannot be written, its manifest is damaged, or another export works in
    /// it.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot be written.</exception>
    public static LibraryExport Open(ExportOptions options, ViewLinks views)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(views);
        IExportDisk disk = OperatingSystem.IsLinux() ? new LinuxDisk(options.Folder) : new PortableDisk(options.Folder);
        try
        {
            return new LibraryExport(options, disk, ExportManifest.Open(options.Folder), new ExportTexts(options, views));
        }
        catch
        {
            disk.Dispose();
            throw;
        }
    }

    /// <summary>True if the path that was opened still leads to the same folder. Always true on systems other than Linux.</summary>
    public bool IsInPlace() => _disk.IsInPlace();

    /// <summary>Plans the contents of the folder.</summary>
    /// <param name="outline">The tree.</param>
    /// <param name="isHidden">Items that are not shown.</param>
    public PreparedExport Prepare(TreeOutline outline, Func<long, bool> isHidden)
    {
        ArgumentNullException.ThrowIfNull(outline);
        var plan = new ExportPlanner(outline, isHidden, _options).Make();
        return new PreparedExport(
            plan, [.. plan.Entries.Where(entry => _manifest.Find(entry.Path)?.Id != entry.Id).Select(static entry => entry.Id).Distinct()]);
    }

    /// <summary>Brings the folder in line with the plan. Blocks the calling thread until done.</summary>
    /// <param name="prepared">The planned contents.</param>
    /// <param name="verify">Check each expected file on the disk; otherwise files written before are assumed present.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="IOException">The folder cannot be read or written; its files stay complete.</exception>
    public ExportReport Run(PreparedExport prepared, bool verify, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(prepared);
        try
        {
            return _exporter.Run(prepared.Plan, verify, cancellationToken);
        }
        catch (AggregateException e) when (e.InnerExceptions is [var first, ..])
        {
            // Several workers may report the same error; one is enough.
            ExceptionDispatchInfo.Throw(first);
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _manifest.Dispose();
        _disk.Dispose();
    }
}

/// <summary>What is exported, and how. Immutable.</summary>
public sealed record ExportOptions
{
    /// <summary>The folder that receives the library. It must exist.</summary>
    public required string Folder { get; init; }

    /// <summary>Videos and music as .strm files.</summary>
    public bool Addresses { get; init; }

    /// <summary>Every file as a symbolic link.</summary>
    public bool Links { get; init; }

    /// <summary>An .nfo file beside each video.</summary>
    public bool Details { get; init; }

    /// <summary>What addresses begin with: scheme, host, port and URL base, without a trailing slash.</summary>
    public string AddressRoot { get; init; } = "";

    /// <summary>Where programs that follow the links see the tree's root mounted. Absolute, without a trailing slash.</summary>
    public string MountPath { get; init; } = "";

    /// <summary>The only category that is exported, its titles directly in the folder; null: all, each in a folder of its own.</summary>
    public string? Category { get; init; }

    /// <summary>
    /// True for a copy that follows the tree: links lead to the current paths of the files, and reading one does not count as a library's
    /// link. False for a lasting library: links lead to the stable paths of the files.
    /// </summary>
    public bool Follows { get; init; }
}

/// <summary>The planned contents of a library. Immutable.</summary>
public sealed class PreparedExport
{
    internal PreparedExport(ExportPlan plan, IReadOnlyCollection<long> added) => (Plan, Added) = (plan, added);

    /// <summary>
    /// Ids of the files that the folder does not link to yet. Callers that track links record them before the links exist.
    /// </summary>
    public IReadOnlyCollection<long> Added { get; }

    internal ExportPlan Plan { get; }
}

/// <summary>The outcome of an export. Immutable.</summary>
public sealed record ExportReport
{
    /// <summary>How many paths are listed at most; further ones are only counted.</summary>
    public const int MostNamed = 100;

    /// <summary>Number of files and links that are new.</summary>
    public int Created { get; init; }

    /// <summary>Number of files and links that replaced an older one of ours.</summary>
    public int Replaced { get; init; }

    /// <summary>Number of our files and links that were removed because their files are gone from the tree.</summary>
    public int Removed { get; init; }

    /// <summary>Number of files and links that were already as planned.</summary>
    public int Unchanged { get; init; }

    /// <summary>Number of files of the tree that are not exported: neither video nor music, where only these are exported.</summary>
    public int LeftOut { get; init; }

    /// <summary>Paths that would be too long to be opened.</summary>
    public IReadOnlyList<string> TooLong { get; init; } = [];

    /// <summary>Number of files that could not be made, replaced or removed because something that is not ours is in their place.</summary>
    public int Blocked { get; init; }

    /// <summary>The first obstacles, each a path with the reason, sorted.</summary>
    public IReadOnlyList<string> BlockedBy { get; init; } = [];

    /// <summary>True if nothing had to be made, replaced or removed.</summary>
    public bool ChangedNothing => Created + Replaced + Removed == 0;
}
