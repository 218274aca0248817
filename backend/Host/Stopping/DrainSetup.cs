namespace NzbDav.Host.Stopping;

/// <summary>Adds <see cref="Drain"/> before all other middleware.</summary>
internal static class DrainSetup
{
    public static void AddDrain(this IServiceCollection services)
    {
        services.AddSingleton<Drain>();
        services.AddHostedService(provider => provider.GetRequiredService<Drain>());
    }

    public static void UseDrain(this WebApplication app)
    {
        var drain = app.Services.GetRequiredService<Drain>();
        app.Use(next => http => drain.RunAsync(http, next));
    }
}
