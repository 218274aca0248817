using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Locks;

/// <summary>A place that a request changes.</summary>
/// <param name="Path">Which.</param>
/// <param name="IsMember">It comes to be or goes away, so its parent's list of members changes too.</param>
/// <param name="IsTree">All below it changes too.</param>
internal readonly record struct WriteTarget(StorePath Path, bool IsMember = false, bool IsTree = false);
