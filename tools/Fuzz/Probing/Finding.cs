using System.Security.Cryptography;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Probing;

/// <summary>A fault of a parser.</summary>
/// <param name="Kind">What is wrong.</param>
/// <param name="Where">Distinguishes faults: the exception and the method that threw it; empty if that is not known.</param>
/// <param name="Story">Text for people: the whole exception, or the two results.</param>
internal sealed record Finding(FindingKind Kind, string Where, string Story)
{
    /// <summary>Whether both are the same fault, as far as that can be determined.</summary>
    public bool IsSameAs(Finding? other) =>
        other is not null && Kind == other.Kind && string.Equals(Where, other.Where, StringComparison.Ordinal);
}

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
        return $"{target}: {finding.Kind} {finding.Where}\n  {input.Length} bytes: {path}.bin\n  " +
            $"{finding.Story.Trim().ReplaceLineEndings("\n  ")}\n";
    }
}
