namespace NzbDav.Host.Status;

/// <summary>Memory, in bytes.</summary>
/// <param name="Process">Memory of the whole process.</param>
/// <param name="Budget">Limit of the buffers for articles.</param>
/// <param name="Used">The part of the budget that is reserved now.</param>
/// <param name="Cache">The part of the reserved memory that only caches articles for a second read.</param>
internal sealed record StatusMemoryBody(long Process, long Budget, long Used, long Cache);
