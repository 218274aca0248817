using System.Text;
using NzbDav.Api;
using NzbDav.Api.Completion;
using NzbDav.Api.Sab;
using NzbDav.Host.Logging;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Serving;

/// <summary>Puts the HTTP interfaces together.</summary>
internal static class ApiServices
{
    /// <summary>16 random bytes, as long as SABnzbd's own.</summary>
    private const int KeyLength = 16;

    public static void AddApis(this IServiceCollection services, NzbDavSettings settings, string folder, SecretFilter secrets)
    {
        var api = settings.Api;
        var keys = KeysOf(api, folder);
        secrets.Add(keys.Full);
        services.AddSingleton(keys);
        services.AddSingleton(new SabOptions
        {
            MountPath = settings.WebDavMountPath,
            ConfigFolder = folder,
            PrivateHosts = api.PrivateHosts,
            LineBytesPerSecond = api.LineMegabits * 125_000L,
            Clean = secrets.Clean,
            MaxUploadBytes = ((long)settings.MaxNzbMiB + 1) << 20,
        });
        services.AddSingleton<ISabTraffic, UsenetTraffic>();
        if (api.Rclone is { } rclone)
        {
            services.AddSingleton(rclone).AddSingleton<RcloneRefresh>();
            services.AddSingleton<ICompletion>(provider => provider.GetRequiredService<RcloneRefresh>());
            services.AddHostedService(provider => provider.GetRequiredService<RcloneRefresh>());
        }
        else
        {
            services.AddSingleton<ICompletion, ImmediateCompletion>();
        }

        services.AddSab();
    }

    /// <summary>The configured keys; without a full one, the one that is kept in <c>keys/api</c> as 32 hexadecimal digits.</summary>
    private static ApiKeys KeysOf(ApiSettings api, string folder) => new(
        api.Key ?? Encoding.ASCII.GetString(SecretKey.ReadOrMake(Path.Combine(folder, "keys", "api"), KeyLength * 2, () => Encoding.ASCII.GetBytes(Convert.ToHexStringLower(System.Security.Cryptography.RandomNumberGenerator.GetBytes(KeyLength))))),
        api.AddKey,
        api.ReadKey);
}
