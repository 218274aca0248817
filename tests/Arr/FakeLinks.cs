using NzbDav.Arr.Repair;

namespace NzbDav.Arr.Tests;

/// <summary>Links by path.</summary>
internal sealed class FakeLinks : Dictionary<string, string>, ILinkTargets
{
    public string? TargetOf(string path) => TryGetValue(path, out var target) ? target : null;
}
