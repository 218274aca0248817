using System.Text.Json;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Content;

/// <summary>
/// Runs a <see cref="ContentRequest"/> in a process of its own, so that its memory and CPU time can be measured separately.
/// </summary>
internal static class ContentProcess
{
    /// <param name="request">The task.</param>
    /// <param name="folder">Folder for the request's file.</param>
    /// <param name="accounts">Settings of the providers.</param>
    /// <param name="display">Shows its progress.</param>
    /// <param name="findings">Receives its findings.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task RunAsync(
        ContentRequest request, string folder, IReadOnlyDictionary<string, string> accounts, IStageDisplay display, RunFindings findings,
        CancellationToken cancellationToken)
    {
        var file = Path.Combine(folder, "content-request.json");
        await File.WriteAllTextAsync(file, JsonSerializer.Serialize(request, TesterJson.Default.ContentRequest), cancellationToken);
        FindingsReport? report = null;
        await using var process = ChildProcess.Start(
            DotnetHost.Server, [CommandNames.Tester, CommandNames.ContentChild, file], accounts, line =>
        {
            if (!line.StartsWith('{') || JsonSerializer.Deserialize(line, TesterJson.Default.ContentMessage) is not { } message)
                return;
            if (message.Begin is { } begun)
                display.Begin(begun);
            else if (message.Progress is { } share)
                display.Progress(share);
            else if (message.End is { } ended)
                display.End(ended, message.Passed, TimeSpan.FromMilliseconds(message.TookMs));
            report ??= message.Report;
        });
        var code = await process.WhenExitedAsync(cancellationToken);
        if (report is null)
            findings.Fail("content process", $"it ended with code {code} before it reported its findings: {process.Said}");
        else
            findings.Merge(report);
    }
}
