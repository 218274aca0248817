using System.Xml.Linq;
using Microsoft.AspNetCore.DataProtection.Repositories;

namespace NzbDav.Access.Keys;

/// <summary>
/// The keys that encrypt sessions and secrets, one file each, for its user alone. Unlike the framework's own folder of keys it writes nowhere else, so that no other folder has to be writable.
/// Several processes may use the folder at once.
/// </summary>
/// <param name="folder">Made when the first key is.</param>
public sealed class KeyRingFolder(string folder) : IXmlRepository
{
    /// <inheritdoc/>
    /// <exception cref="IOException">The folder cannot be read.</exception>
    public IReadOnlyCollection<XElement> GetAllElements() =>
        Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, "*.xml").Order(StringComparer.Ordinal).Select(static path => XElement.Load(path))] : [];

    /// <inheritdoc/>
    /// <exception cref="IOException">The folder cannot be written; nothing was stored.</exception>
    public void StoreElement(XElement element, string friendlyName)
    {
        ArgumentNullException.ThrowIfNull(element);
        ArgumentException.ThrowIfNullOrEmpty(friendlyName);
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder);
        }
        else
        {
            Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        var path = Path.Combine(folder, friendlyName + ".xml");
        var unfinished = path + "." + Guid.NewGuid().ToString("N");
        using (var file = new FileStream(unfinished, options))
        {
            element.Save(file);
            file.Flush(flushToDisk: true);
        }

        File.Move(unfinished, path, overwrite: true);
    }
}
