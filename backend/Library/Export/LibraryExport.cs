using System.Runtime.ExceptionServices;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library.Export;

/// <summary>An exported library that is open: what is ours in its folder is known, and nobody else exports there. Used by one caller at a time.</summary>
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
    /// <exception cref="IOException">It is not there, cannot be written, is damaged, or another export works in it.</exception>
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

    /// <summary>True if the path that was opened still leads to the same folder. Always true on other systems than Linux.</summary>
    public bool IsInPlace() => _disk.IsInPlace();

    /// <summary>Lays out what the folder shall hold.</summary>
    /// <param name="outline">The tree.</param>
    /// <param name="isHidden">Items that are not shown.</param>
    public PreparedExport Prepare(TreeOutline outline, Func<long, bool> isHidden)
    {
        ArgumentNullException.ThrowIfNull(outline);
        var plan = new ExportPlanner(outline, isHidden, _options).Make();
        return new PreparedExport(plan, [.. plan.Entries.Where(entry => _manifest.Find(entry.Path)?.Id != entry.Id).Select(static entry => entry.Id).Distinct()]);
    }

    /// <summary>Makes the folder hold it. Blocks the calling thread for as long as that takes.</summary>
    /// <param name="prepared">What it shall hold.</param>
    /// <param name="verify">Look at each file that shall be there; else what was written before is believed to be there.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">The folder cannot be read or written; what is in it is whole.</exception>
    public ExportReport Run(PreparedExport prepared, bool verify, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(prepared);
        try
        {
            return _exporter.Run(prepared.Plan, verify, cancellationToken);
        }
        catch (AggregateException e) when (e.InnerExceptions is [var first, ..])
        {
            // Of several workers that met the same trouble one is enough.
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
