using System.Runtime.ExceptionServices;
using NzbDav.Catalog.Browsing;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Export;

/// <summary>An open exported library: its manifest is loaded, and no other export can run in its folder. Used by one caller at a time.</summary>
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

    /// <summary>Plans the contents of the folder.</summary>
    /// <param name="outline">The tree.</param>
    /// <param name="isHidden">Items that are not shown.</param>
    public PreparedExport Prepare(TreeOutline outline, Func<long, bool> isHidden)
    {
        ArgumentNullException.ThrowIfNull(outline);
        var plan = new ExportPlanner(outline, isHidden, _options).Make();
        return new PreparedExport(plan, [.. plan.Entries.Where(entry => _manifest.Find(entry.Path)?.Id != entry.Id).Select(static entry => entry.Id).Distinct()]);
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
