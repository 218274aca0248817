using System.CommandLine;
using NzbDav.Fuzz.Probing;

namespace NzbDav.Fuzz.Command;

/// <summary><c>replay</c>: parses files once and prints what is wrong. For the findings of a run, after a fix.</summary>
internal static class ReplayCommand
{
    /// <param name="output">Receives the text for people.</param>
    public static System.CommandLine.Command Create(TextWriter output)
    {
        var name = new Argument<string>("TARGET") { Description = "The parser" };
        var files = new Argument<FileInfo[]>("FILE") { Description = "Inputs", Arity = ArgumentArity.OneOrMore };
        var command = new System.CommandLine.Command("replay", "Parses inputs once, whole and cut, and prints what is wrong with each.")
            { name, files };
        command.SetAction(parsed =>
        {
            if (TargetList.Find(parsed.GetRequiredValue(name)) is not { } target)
            {
                output.WriteLine($"There is no parser named {parsed.GetValue(name)}.");
                return 2;
            }

            if (parsed.GetRequiredValue(files).FirstOrDefault(static file => !file.Exists) is { } missing)
            {
                output.WriteLine($"There is no file {missing.FullName}.");
                return 2;
            }

            var wrong = 0;
            foreach (var file in parsed.GetRequiredValue(files))
            {
                var finding = Probe.Judge(target, File.ReadAllBytes(file.FullName), seed: 1);
                output.WriteLine(finding is null ? $"{file.Name}: right" : $"{file.Name}: {finding.Kind} {finding.Where}\n{finding.Story}");
                wrong += finding is null ? 0 : 1;
            }

            return wrong == 0 ? 0 : 1;
        });
        return command;
    }
}
