package dev.kubeinformer.spring.test;

import java.nio.file.Path;

import dev.kubeinformer.definitions.DefinitionChanges;

/**
 * Thrown when manifests are not written because a changed definition could break stored
 * objects. The message lists the changes, and for each breaking change an alternative
 * that breaks nothing.
 */
public class BreakingDefinitionChangesException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final transient DefinitionChanges changes;

	/**
	 * Creates the exception.
	 * @param file the file with the previous definitions
	 * @param changes the changes
	 * @param advice a sentence that says how to accept the changes
	 */
	public BreakingDefinitionChangesException(Path file, DefinitionChanges changes, String advice) {
		super("The definitions in '%s' would change in a way that can break stored objects or clients.%n%s%n%s"
			.formatted(file, changes, advice));
		this.changes = changes;
	}

	/**
	 * Returns the changes.
	 * @return the changes of all definitions in the file
	 */
	public DefinitionChanges getChanges() {
		return this.changes;
	}

}
