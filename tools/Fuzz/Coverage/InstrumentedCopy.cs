using SharpFuzz;

namespace NzbDav.Fuzz.Coverage;

/// <summary>A copy of the program whose parsers count the branches that they take. Disposal deletes its folder.</summary>
internal sealed class InstrumentedCopy : IDisposable
{
    private InstrumentedCopy(DirectoryInfo folder) => Folder = folder;

    /// <summary>The folder of the copy.</summary>
    public DirectoryInfo Folder { get; }

    /// <summary>Makes a copy; takes seconds.</summary>
    public static InstrumentedCopy Make()
    {
        var copy = new InstrumentedCopy(Directory.CreateTempSubdirectory("nzbdav-fuzz."));
        try
        {
            // The parsers' native parts and the seeds. The output of a test project has other folders that are not needed.
            Copy(new DirectoryInfo(AppContext.BaseDirectory), copy.Folder,
                static name => name is "runtimes" or "Seeds" or "Cases" or "Archives");
            foreach (var library in copy.Folder.EnumerateFiles("NzbDav.*.dll")
                .Where(static file => !file.Name.EndsWith(".Tests.dll", StringComparison.Ordinal)))
                _ = Fuzzer.Instrument(library.FullName, static _ => true, Options.Value).Count();
            var own = Path.Combine(copy.Folder.FullName, "nzbdav-fuzz.dll");
            _ = Fuzzer.Instrument(own, static type => type.StartsWith("NzbDav.Fuzz.Planted.", StringComparison.Ordinal), Options.Value)
                .Count();
            return copy;
        }
        catch
        {
            copy.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Folder.Delete(recursive: true);

    private static void Copy(DirectoryInfo from, DirectoryInfo to, Func<string, bool> isWanted)
    {
        foreach (var file in from.EnumerateFiles())
            file.CopyTo(Path.Combine(to.FullName, file.Name));
        foreach (var folder in from.EnumerateDirectories().Where(folder => isWanted(folder.Name)))
            Copy(folder, to.CreateSubdirectory(folder.Name), static _ => true);
    }
}
