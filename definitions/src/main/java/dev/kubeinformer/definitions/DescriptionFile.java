package dev.kubeinformer.definitions;

import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/**
 * Resource with the descriptions of a class, in UTF-8.
 */
final class DescriptionFile {

	/** Key of the description of the class itself; not a valid name of a field. */
	static final String CLASS = "class";

	private DescriptionFile() {
	}

	static String path(String className) {
		return "META-INF/kubernetes-informer/descriptions/" + className + ".properties";
	}

	/**
	 * Writes the descriptions. Unlike {@link java.util.Properties}, does not write the
	 * time, so builds are reproducible.
	 * @param writer the writer
	 * @param descriptions the descriptions by key
	 * @throws IOException if the writer fails
	 */
	static void write(Writer writer, Map<String, String> descriptions) throws IOException {
		for (Map.Entry<String, String> entry : descriptions.entrySet()) {
			writer.write(entry.getKey() + "=" + escaped(entry.getValue()) + "\n");
		}
	}

	private static String escaped(String text) {
		String escaped = text.replace("\\", "\\\\").replace("\r", "").replace("\n", "\\n").replace("\t", "\\t");
		return escaped.startsWith(" ") ? "\\" + escaped : escaped;
	}

}
