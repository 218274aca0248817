using System.CommandLine;
using NzbDav.Host.Commands;

namespace NzbDav.Documents.Tests;

/// <summary>
/// Checks that the commands, arguments and options of <c>nzbdav</c> on a page exist, and so do the projects after <c>dotnet run</c>.
/// </summary>
internal static class Commands
{
    private static readonly char[] Signs = ['[', ']', '…', '|', '(', ')', '&'];

    private static readonly string[] Shells = ["", "sh", "bash", "console", "text", "dockerfile"];

    /// <param name="page">The page whose commands are checked.</param>
    /// <param name="exists">Whether the repository has a file or folder at a path relative to its root.</param>
    public static IEnumerable<string> Faults(Page page, Func<string, bool> exists)
    {
        var lines = page.Blocks.Where(block => Shells.Contains(block.Language, StringComparer.Ordinal))
            .SelectMany(block => Joined(block.Text).Select(line => new Piece(line.Text, block.Line + line.Line)));
        foreach (var (text, line) in lines.Concat(page.Spans))
        {
            if (Fault(text, exists) is { } fault)
                yield return $"{page.At(line)}: {fault} ({text.Trim()})";
        }
    }

    /// <summary>The fault of a line; null for a correct line or an unrelated one.</summary>
    private static string? Fault(string line, Func<string, bool> exists)
    {
        var words = Words(line);
        var run = words.FindIndex(word => word == "dotnet");
        if (run >= 0 && words.IndexOf("--project") is var option && option > run && option + 1 < words.Count)
        {
            var project = words[option + 1];
            if (!exists(project))
                return $"there is no project {project}.";
            var separator = words.IndexOf("--", option);
            return project == "backend" && separator >= 0 ? CommandFault(words[(separator + 1)..]) : null;
        }

        // In a container: docker compose exec nzbdav nzbdav import …, docker run nzbdav --demo.
        if (words is ["docker", ..])
        {
            // Container, command and the program that users migrate from share the name.
            var place = words.FindLastIndex(word => word == "nzbdav");
            while (place > 0 && words[place - 1] == "--from")
                place = words.FindLastIndex(place - 1, word => word == "nzbdav");
            return place > 0 && (words.Contains("run") || words.IndexOf("nzbdav") < place) ? CommandFault(words[(place + 1)..]) : null;
        }

        // Alone, after "sudo", or after settings: X=1 nzbdav import …
        var name = words.FindIndex(word => word != "sudo" && !word.Contains('=', StringComparison.Ordinal));
        return name >= 0 && words[name] == "nzbdav" ? CommandFault(words[(name + 1)..]) : null;
    }

    private static string? CommandFault(List<string> words)
    {
        Command command = NzbDavCommand.For([.. words.Where(word => word.StartsWith("--", StringComparison.Ordinal))]);
        var options = command.Options.ToList();
        Option? waiting = null;
        foreach (var word in words)
        {
            if (word is ">" or "|" or "&&" or ";" || word.StartsWith('#'))
                break;
            if (word.StartsWith('-'))
            {
                waiting = options.Find(option => option.Name == word.Split('=')[0] || option.Aliases.Contains(word.Split('=')[0]));
                if (waiting is null)
                    return $"{(command is RootCommand ? "nzbdav" : command.Name)} has no option {word}.";
                if (waiting.ValueType == typeof(bool) || word.Contains('=', StringComparison.Ordinal))
                    waiting = null;
            }
            else if (waiting is not null)
            {
                // An option with several values continues until the next option.
                waiting = waiting.Arity.MaximumNumberOfValues > 1 ? waiting : null;
            }
            else if (command.Subcommands.FirstOrDefault(one => one.Name == word) is { } inner)
            {
                command = inner;
                options = [.. options.Where(option => option.Recursive), .. inner.Options];
            }
            else if (command.Arguments.Count == 0)
            {
                return $"{(command is RootCommand ? "nzbdav" : command.Name)} has no command {word}.";
            }
        }

        return null;
    }

    /// <summary>Joins a line that ends in a backslash with the next one.</summary>
    private static IEnumerable<Piece> Joined(string text)
    {
        var begin = 0;
        var whole = "";
        foreach (var (line, index) in text.Split('\n').Select((line, index) => (line, index)))
        {
            whole += line.EndsWith('\\') ? line[..^1] + " " : line;
            if (line.EndsWith('\\'))
                continue;
            yield return new Piece(whole, begin);
            whole = "";
            begin = index + 1;
        }
    }

    /// <summary>
    /// Words as the shell splits them, without comments and without synopsis marks such as brackets around optional parts.
    /// </summary>
    private static List<string> Words(string line)
    {
        var words = new List<string>();
        foreach (var word in System.CommandLine.Parsing.CommandLineParser.SplitCommandLine(line.Replace('\'', '"')))
        {
            if (word.StartsWith('#'))
                break;
            if (word.Trim(Signs) is { Length: > 0 } left)
                words.Add(left);
        }

        return words;
    }
}
