using System.Text.Json;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Content;

/// <summary>Progress as lines of JSON, for the process that shows it.</summary>
internal sealed class MessageDisplay(TextWriter output, TimeProvider time) : IStageDisplay
{
    private static readonly TimeSpan Often = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private long _said;

    public void Begin(string stage) => Write(new ContentMessage { Begin = stage });

    public void Progress(double share)
    {
        lock (_gate)
        {
            if (time.GetElapsedTime(_said) < Often)
                return;
            _said = time.GetTimestamp();
        }

        Write(new ContentMessage { Progress = share });
    }

    public void End(string stage, bool passed, TimeSpan took) =>
        Write(new ContentMessage { End = stage, Passed = passed, TookMs = took.TotalMilliseconds });

    public void Report(FindingsReport report) => Write(new ContentMessage { Report = report });

    private void Write(ContentMessage message)
    {
        var line = JsonSerializer.Serialize(message, TesterJson.Default.ContentMessage);
        lock (_gate)
        {
            output.WriteLine(line);
            output.Flush();
        }
    }
}
