using NzbDav.Catalog.Browsing;
using NzbDav.Library.Export;

namespace NzbDav.Library.Tests.Export;

/// <summary>A folder that a catalog is exported to; deleted on disposal.</summary>
internal sealed class ExportFolderFixture(LibraryFixture library) : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("nzbdav-export-").FullName;

    public ExportOptions Options { get; set; } = new()
    { Folder = "", Addresses = true, AddressRoot = "http://nas:8080", MountPath = "/mnt/nzbdav" };

    /// <summary>Uses the portable implementation in place of the Linux one.</summary>
    public bool IsPortable { get; init; }

    /// <summary>See <see cref="Exporter.BeforeStep"/>.</summary>
    public Action<string>? BeforeStep { get; set; }

    public async Task<ExportReport> RunAsync(bool verify = true)
    {
        var options = Options with { Folder = Path };
        var plan = new ExportPlanner(
            await TreeOutline.ReadAsync(library.Database, CancellationToken.None), library.Unwanted.IsHidden, options)
            .Make();
        using IExportDisk disk = IsPortable ? new PortableDisk(Path) : new LinuxDisk(Path);
        using var manifest = ExportManifest.Open(Path);
        return new Exporter(disk, manifest, new ExportTexts(options, library.Views)) { BeforeStep = BeforeStep }.Run(
            plan, verify, CancellationToken.None);
    }

    /// <summary>Everything in the folder except the export's own files, sorted; a link's target follows an arrow.</summary>
    public string[] List() =>
    [
        .. Directory.EnumerateFileSystemEntries(Path, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
            .Select(path => System.IO.Path.GetRelativePath(Path, path))
            .Where(static path => !path.StartsWith(ExportManifest.FolderName, StringComparison.Ordinal))
            .Order(StringComparer.Ordinal),
    ];

    public string Read(string path) => File.ReadAllText(Of(path));

    public string Of(string path) => System.IO.Path.Combine(Path, path);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
