using System.Security.Cryptography;

namespace NzbDav.Fuzz.Probing;

/// <summary>Where findings go: the smallest input of each, and its story in a text beside it.</summary>
/// <param name="folder">Made when there is something to keep.</param>
internal sealed class FindingFolder(DirectoryInfo folder)
{
    /// <summary>Keeps one.</summary>
    /// <param name="target">Whose it is.</param>
    /// <param name="finding">What is wrong.</param>
    /// <param name="input">Shows it.</param>
    /// <returns>The same for a person.</returns>
    public string Keep(string target, Finding finding, byte[] input)
    {
        folder.Create();
        var path = Path.Combine(folder.FullName, $"{target}-{Convert.ToHexStringLower(SHA256.HashData(input))[..12]}");
        File.WriteAllBytes(path + ".bin", input);
        File.WriteAllText(path + ".txt", $"{finding.Kind} {finding.Where}\n{finding.Story}\n");
        return $"{target}: {finding.Kind} {finding.Where}\n  {input.Length} bytes: {path}.bin\n  {finding.Story.Trim().ReplaceLineEndings("\n  ")}\n";
    }
}
