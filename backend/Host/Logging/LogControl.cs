using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;
using Serilog.Extensions.Logging;

namespace NzbDav.Host.Logging;

/// <summary>Holds the log levels and the console format. Changes apply at once, to existing loggers too. Thread-safe.</summary>
internal sealed class LogControl(LogLevels levels, bool json) : IConfigureOptions<LoggerFilterOptions>,
    IOptionsChangeTokenSource<LoggerFilterOptions>, IDisposable
{
    private readonly Lock _gate = new();
    private LogLevels _levels = levels;
    private CancellationTokenSource _changed = new();
    private volatile bool _isJson = json;

    public string Name => Options.DefaultName;

    /// <summary>True: each line on the console is a JSON object.</summary>
    public bool IsJson
    {
        get => _isJson;
        set => _isJson = value;
    }

    public LogLevels Levels
    {
        get
        {
            lock (_gate)
                return _levels;
        }

        set
        {
            CancellationTokenSource before;
            lock (_gate)
            {
                _levels = value;
                before = _changed;
                _changed = new CancellationTokenSource();
            }

            before.Cancel();
            before.Dispose();
        }
    }

    public IChangeToken GetChangeToken()
    {
        lock (_gate)
            return new CancellationChangeToken(_changed.Token);
    }

    /// <summary>Rules for console and files only: the warnings of the SABnzbd interface do not depend on them.</summary>
    public void Configure(LoggerFilterOptions options)
    {
        var now = Levels;
        var sink = typeof(SerilogLoggerProvider).FullName;
        options.Rules.Add(new LoggerFilterRule(sink, categoryName: null, now.Level, filter: null));
        foreach (var (category, level) in now.Categories)
            options.Rules.Add(new LoggerFilterRule(sink, category, level, filter: null));

        // Its warning about unencrypted keys is expected: the keys are stored next to the data that they encrypt.
        options.Rules.Add(
            new LoggerFilterRule(sink, "Microsoft.AspNetCore.DataProtection.KeyManagement.XmlKeyManager", LogLevel.Error, filter: null));
    }

    public void Dispose() => _changed.Dispose();
}
