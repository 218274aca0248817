using System.ComponentModel;
using System.Diagnostics;
using NzbDav.Fakes;

namespace NzbDav.Archives.Tests;

/// <summary>Has real programs unpack what the builders wrote. Skips the test of one that is not installed.</summary>
internal static class RealPrograms
{
    public static Task UnrarAsync(
        IEnumerable<(string Name, byte[] Bytes)> volumes, string? password, IReadOnlyDictionary<string, byte[]> sources) =>
        UnpackAsync("unrar", folder => ["x", "-idq", "-o+", password is null ? "-p-" : $"-p{password}", folder, "out/"], volumes, sources);

    public static Task SevenZipAsync(
        IEnumerable<(string Name, byte[] Bytes)> volumes, string? password, IReadOnlyDictionary<string, byte[]> sources) =>
        UnpackAsync("7z", folder => ["x", "-y", "-oout", $"-p{password}", folder], volumes, sources);

    public static Task BsdtarAsync(IEnumerable<(string Name, byte[] Bytes)> volumes, IReadOnlyDictionary<string, byte[]> sources) =>
        UnpackAsync("bsdtar", folder => ["-x", "-C", "out", "-f", folder], volumes, sources);

    /// <summary>Has a real program pack files, and returns what it wrote, by name.</summary>
    /// <param name="program">The program.</param>
    /// <param name="arguments">It runs in the folder of the files.</param>
    /// <param name="sources">The files.</param>
    /// <param name="pattern">The names of what it writes.</param>
    public static async Task<IReadOnlyList<(string Name, byte[] Bytes)>> PackAsync(
        string program, string[] arguments, IReadOnlyDictionary<string, byte[]> sources, string pattern)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-archives-");
        try
        {
            foreach (var (name, bytes) in sources)
            {
                var path = Path.Combine(folder.FullName, name);
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                await File.WriteAllBytesAsync(path, bytes);
            }

            if (await RunAsync(program, arguments, folder.FullName) is not var (code, said))
            {
                Needs.Skip($"{program} is not installed.");
                return [];
            }

            Assert.True(code == 0, $"{program} ended with {code}: {said}");
            var written = Directory.GetFiles(folder.FullName, pattern).Order(StringComparer.Ordinal);
            return [.. written.Select(static path => (Path.GetFileName(path), File.ReadAllBytes(path)))];
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task UnpackAsync(string program, Func<string, string[]> arguments,
        IEnumerable<(string Name, byte[] Bytes)> volumes, IReadOnlyDictionary<string, byte[]> sources)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-archives-");
        try
        {
            string? first = null;
            foreach (var (name, bytes) in volumes)
            {
                first ??= name;
                File.WriteAllBytes(Path.Combine(folder.FullName, name), bytes);
            }

            var output = folder.CreateSubdirectory("out").FullName;
            if (await RunAsync(program, arguments(first!), folder.FullName) is not var (code, said))
            {
                Needs.Skip($"{program} is not installed.");
                return;
            }

            Assert.True(code == 0, $"{program} ended with {code}: {said}");
            var files = Directory.GetFiles(output, "*", SearchOption.AllDirectories)
                .ToDictionary(path => Path.GetRelativePath(output, path), File.ReadAllBytes, StringComparer.Ordinal);
            Assert.Equal(sources.Keys.Order(StringComparer.Ordinal), files.Keys.Order(StringComparer.Ordinal));
            Assert.All(sources, source => Assert.Equal(source.Value, files[source.Key]));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<(int Code, string Said)?> RunAsync(string program, string[] arguments, string folder)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true
        };
        start.Environment["LC_ALL"] = "C.UTF-8";
        try
        {
            using var process = Process.Start(start)!;
            process.StandardInput.Close();
            var said = process.StandardOutput.ReadToEndAsync();
            var errors = process.StandardError.ReadToEndAsync();
            await process.WaitForExitAsync();
            return (process.ExitCode, await said + await errors);
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
