package dev.kubeinformer.spring.console;

import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;

/**
 * A file of the console.
 */
enum ConsoleFile {

	PAGE("index.html", ConsoleFile.HTML),

	PAGE_SCRIPT("page.js", ConsoleFile.SCRIPT),

	PAGE_STYLE("page.css", ConsoleFile.STYLE),

	ELEMENT("console.js", ConsoleFile.SCRIPT),

	ELEMENT_STYLE("console.css", ConsoleFile.STYLE),

	CARDS("cards.js", ConsoleFile.SCRIPT),

	ADVICE("advice.js", ConsoleFile.SCRIPT),

	READER("reader.js", ConsoleFile.SCRIPT),

	ICON("icon.svg", ConsoleFile.IMAGE);

	static final String HTML = "text/html";

	static final String SCRIPT = "text/javascript";

	static final String STYLE = "text/css";

	static final String IMAGE = "image/svg+xml";

	private final String fileName;

	private final MimeType type;

	ConsoleFile(String fileName, String type) {
		this.fileName = fileName;
		this.type = MimeType.valueOf(type + ";charset=UTF-8");
	}

	static Optional<ConsoleFile> find(String name) {
		return Stream.of(values()).filter((file) -> file.fileName.equals(name)).findFirst();
	}

	String fileName() {
		return this.fileName;
	}

	MimeType type() {
		return this.type;
	}

	Resource resource() {
		return new ClassPathResource(this.fileName, ConsoleFile.class);
	}

}
