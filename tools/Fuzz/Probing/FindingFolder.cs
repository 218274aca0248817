using System.Security.Cryptography;

namespace NzbDav.Fuzz.Probing;

/// <summary>Stores findings: the smallest input of each, with a text file beside it.</summary>
/// <param name="folder">The folder; created when there is something to store.</param>
internal sealed class FindingFolder(DirectoryInfo folder)
{
    /// <summary>Stores a finding.</summary>
    /// <param name="target">Name of the parser.</param>
    /// <param name="finding">What is wrong.</param>
    /// <param name="input">An input that shows it.</param>
    /// <returns>A description for people.</returns>
    public string Keep(string target, Finding finding, byte[] input)
    {
        folder.Create();
        var path = Path.Combine(folder.FullName, $"{target}-{Convert.ToHexStringLower(SHA256.HashData(input))[..12]}");
        File.WriteAllBytes(path + ".bin", input);
        File.WriteAllText(path + ".txt", $"{finding.Kind} {finding.Where}\n{finding.Story}\n");
        return $"{target}: {finding.Kind} {finding.Where}\n  {input.Length} bytes: {path}.bin\n  {finding.Story.Trim().ReplaceLineEndings("\n  ")}\n";
    }
}
