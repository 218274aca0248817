using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json;
using NzbDav.Fakes;
using YamlDotNet.Core;
using YamlDotNet.RepresentationModel;

namespace NzbDav.Documents.Tests;

/// <summary>
/// Checks that code blocks are valid in the language of their fence, with the shell, the JSON and YAML parsers, nginx and Caddy; for
/// diagrams see <see cref="Mermaid"/>.
/// </summary>
internal static class Samples
{
    public static async Task<string?> FaultAsync(Page page, Sample sample)
    {
        var fault = sample.Language switch
        {
            "sh" or "bash" => await RunAsync("bash", ["-n"], sample.Text),
            "json" => JsonFault(sample.Text),
            "yaml" => YamlFault(sample.Text),
            "mermaid" => Mermaid.Fault(sample.Text),
            "nginx" => await FileFaultAsync(
                $"pid nginx.pid;\nevents {{ }}\nhttp {{\naccess_log " +
                $"off;\n{sample.Text.Replace("listen 80;", "listen 127.0.0.1:18080;", StringComparison.Ordinal)}\n}}\n",
                static file => ("nginx", ["-t", "-q", "-e", "stderr", "-p", Path.GetDirectoryName(file)!, "-c", file])),
            "caddy" => await FileFaultAsync(sample.Text, static file => ("caddy", ["adapt", "--adapter", "caddyfile", "--config", file])),
            "" or "text" or "console" or "ini" or "xml" or "dockerfile" => null,
            _ => $"nobody checks the language {sample.Language}. Use one that is checked, or add it.",
        };
        return fault is null ? null : $"{page.At(sample.Line)}: {fault}";
    }

    private static string? JsonFault(string text)
    {
        try
        {
            JsonDocument.Parse(text).Dispose();
            return null;
        }
        catch (JsonException e)
        {
            return e.Message;
        }
    }

    private static string? YamlFault(string text)
    {
        try
        {
            using var reader = new StringReader(text);
            new YamlStream().Load(reader);
            return null;
        }
        catch (YamlException e)
        {
            return e.Message;
        }
    }

    private static async Task<string?> FileFaultAsync(string text, Func<string, (string Program, string[] Arguments)> command)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-documents-");
        try
        {
            var file = Path.Combine(folder.FullName, "sample");
            await File.WriteAllTextAsync(file, text);
            var (program, arguments) = command(file);
            return await RunAsync(program, arguments, "");
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <returns>The error message of the program; null if it accepts the text.</returns>
    private static async Task<string?> RunAsync(string program, string[] arguments, string input)
    {
        var start = new ProcessStartInfo(program, arguments)
        { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["PATH"] += ":/usr/sbin:/sbin";
        try
        {
            using var process = Process.Start(start)!;
            var errors = process.StandardError.ReadToEndAsync();
            var output = process.StandardOutput.ReadToEndAsync();
            await process.StandardInput.WriteAsync(input);
            process.StandardInput.Close();
            await process.WaitForExitAsync();
            await output;
            return process.ExitCode == 0 ? null : $"{program}: {(await errors).Trim()}";
        }
        catch (Win32Exception)
        {
            Needs.Skip($"{program} is not installed.");
            return null;
        }
    }
}
