using System.Runtime.CompilerServices;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Telemetry;

/// <summary>Keeps an <see cref="OtlpExport"/> to the configured collector. Without one, no code of OpenTelemetry is loaded.</summary>
internal sealed class OtlpService : BackgroundService
{
    /// <summary>How often the sizes of the queue are counted: the collector gets values once a minute, so that they are recent.</summary>
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(30);

    private readonly SettingsBook _book;
    private readonly CatalogGauges _gauges;
    private readonly TimeProvider _time;
    private OtlpSettings? _settings;
#pragma warning disable CA1859 // The type that it has would be loaded with this one, and OpenTelemetry with it.
    private volatile IDisposable? _export;
#pragma warning restore CA1859
    private Task _closing = Task.CompletedTask;

    public OtlpService(SettingsBook book, CatalogGauges gauges, TimeProvider time)
    {
        _book = book;
        _gauges = gauges;
        _time = time;

        // Created now, so that it gets what is counted while the server starts.
        OnChanged(book.Current);
        book.Changed += OnChanged;
    }

    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        _book.Changed -= OnChanged;
        await base.StopAsync(cancellationToken);
        await _closing.WaitAsync(cancellationToken);
    }

    public override void Dispose()
    {
        _book.Changed -= OnChanged;
        _export?.Dispose();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Every, _time);
        try
        {
            do
            {
                if (_export is not null)
                    await _gauges.RefreshAsync(stoppingToken);
            }
            while (await timer.WaitForNextTickAsync(stoppingToken));
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
    }

    /// <summary>A separate method, because the types that a method uses are loaded before it runs.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static OtlpExport Open(OtlpSettings settings) => new(settings);

    /// <summary>Calls do not overlap.</summary>
    private void OnChanged(NzbDavSettings settings)
    {
        var otlp = settings.Operations.Otlp;
        if (otlp is null ? _settings is null : otlp.Equals(_settings))
            return;
        _settings = otlp;
        var former = _export;
        _export = otlp is null ? null : Open(otlp);

        // The former collector still gets the rest; nobody waits for that.
        if (former is not null)
            _closing = Task.WhenAll(_closing, Task.Run(former.Dispose));
    }
}
