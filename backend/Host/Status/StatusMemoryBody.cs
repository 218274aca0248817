namespace NzbDav.Host.Status;

/// <summary>Memory, in bytes.</summary>
/// <param name="Process">Of the whole process.</param>
/// <param name="Budget">Bound of the buffers for articles.</param>
/// <param name="Used">Of the budget, what is reserved now.</param>
/// <param name="Cache">Of what is reserved, what is only kept for whoever reads it again.</param>
internal sealed record StatusMemoryBody(long Process, long Budget, long Used, long Cache);
