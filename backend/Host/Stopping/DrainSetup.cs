namespace NzbDav.Host.Stopping;

/// <summary>Adds <see cref="Drain"/> before all other middleware.</summary>
internal static class DrainSetup
{
    /// <param name="services">Gets it.</param>
    /// <param name="hasOthers">True where other gateways may answer instead of this one.</param>
    public static void AddDrain(this IServiceCollection services, bool hasOthers)
    {
        services.AddSingleton(provider => ActivatorUtilities.CreateInstance<Drain>(provider, hasOthers));
        services.AddHostedService(provider => provider.GetRequiredService<Drain>());
    }

    public static void UseDrain(this WebApplication app)
    {
        var drain = app.Services.GetRequiredService<Drain>();
        app.Use(next => http => drain.RunAsync(http, next));
    }
}
