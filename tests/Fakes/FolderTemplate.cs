namespace NzbDav.Fakes;

/// <summary>
/// A folder that is made once and copied for each test: what takes longer to make than to copy, such as an empty catalog. Thread-safe.
/// </summary>
/// <param name="fill">Fills it; nothing may hold its files open afterwards.</param>
public sealed class FolderTemplate(Func<string, Task> fill)
{
    private readonly Lock _gate = new();
    private Task<IReadOnlyList<(string Name, byte[] Bytes)>>? _files;

    /// <summary>Puts a copy of the files into a folder, which is made if it is missing.</summary>
    public async Task CopyToAsync(string folder)
    {
        foreach (var (name, bytes) in await FilesAsync())
        {
            var path = Path.Combine(folder, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await File.WriteAllBytesAsync(path, bytes);
        }
    }

    private Task<IReadOnlyList<(string Name, byte[] Bytes)>> FilesAsync()
    {
        lock (_gate)
            return _files ??= Task.Run(() => MakeAsync(fill));
    }

    private static async Task<IReadOnlyList<(string Name, byte[] Bytes)>> MakeAsync(Func<string, Task> fill)
    {
        using var folder = new TemporaryFolder();
        await fill(folder.Path);
        return
        [
            .. Directory.EnumerateFiles(folder.Path, "*", SearchOption.AllDirectories)
                .Select(path => (Path.GetRelativePath(folder.Path, path), File.ReadAllBytes(path))),
        ];
    }
}
