using System.Text.RegularExpressions;

namespace NzbDav.Documents.Tests;

/// <summary>
/// Diagrams use only the part of Mermaid that is checked here: sequence diagrams and flow charts whose blocks are closed and whose names
/// are all declared.
/// </summary>
internal static partial class Mermaid
{
    /// <returns>The fault; null if the diagram is correct.</returns>
    public static string? Fault(string text)
    {
        var lines = text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0).ToArray();
        if (lines.Length < 2)
            return "the diagram is empty.";
        var isSequence = lines[0] == "sequenceDiagram";
        if (!isSequence && !FlowHead().IsMatch(lines[0]))
            return $"a diagram cannot begin with: {lines[0]}";
        var (declared, used) = (new HashSet<string>(StringComparer.Ordinal), new HashSet<string>(StringComparer.Ordinal));
        var open = 0;
        foreach (var line in lines.Skip(1))
        {
            var match = (isSequence ? Sequence() : Flow()).Match(line);
            if (!match.Success)
                return $"this line is not understood: {line}";
            open += match.Groups["open"].Success ? 1 : match.Groups["close"].Success ? -1 : 0;
            if (open < 0)
                return "there is one \"end\" too many.";
            declared.UnionWith(match.Groups["declared"].Captures.Select(name => name.Value));
            used.UnionWith(match.Groups["used"].Captures.Select(name => name.Value));
        }

        used.ExceptWith(declared);
        return open > 0 ? "a block has no \"end\"." : used.Count > 0 ? $"nothing declares {string.Join(", ", used)}." : null;
    }

    [GeneratedRegex("^flowchart (TD|TB|BT|LR|RL)$")]
    private static partial Regex FlowHead();

    // A semicolon or "#" would end the text.
    [GeneratedRegex(@"^(?:participant (?<declared>\w+) as [^;#]+|(?<used>\w+)(?:->>|-->>|->|-->|-x|--x)(?<used>\w+): [^;#]+|Note (?:over|left of|right of) (?<used>\w+)(?:,(?<used>\w+))?: [^;#]+|(?<open>loop|alt|opt|par) [^;#]+|(?:else|and) [^;#]+|(?<close>end))$")]
    private static partial Regex Sequence();

    // One arrow per line. A name is declared where it is given its text.
    [GeneratedRegex(@"^(?:(?<declared>\w+)\[""[^""]+""\]|(?<used>\w+))(?: (?:-->|-\.->)(?:\|""[^""]+""\|)? (?:(?<declared>\w+)\[""[^""]+""\]|(?<used>\w+)))?$")]
    private static partial Regex Flow();
}
