package dev.kubeinformer.internal.codec.copy;

/**
 * Copier of models of one class. It is an interface so that the JVM can verify the index
 * of the generated copiers without loading them.
 */
public interface ExactCopier {

	/**
	 * Returns whether this copier copies models of a class.
	 * @param type the exact class of the models
	 * @return {@code true} if it copies all of their fields
	 */
	boolean copies(Class<?> type);

	/**
	 * Copies a model deeply.
	 * @param model an object of a class that this copier copies
	 * @param others copies values that are not models of built-in classes
	 * @return the copy
	 */
	Object copyExactly(Object model, ValueCopier others);

}
