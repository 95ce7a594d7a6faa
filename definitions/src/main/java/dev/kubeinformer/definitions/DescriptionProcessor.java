package dev.kubeinformer.definitions;

import java.io.IOException;
import java.io.Writer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import javax.tools.StandardLocation;

/**
 * Annotation processor that saves Javadoc for the generator of definitions, which uses it
 * as descriptions. It writes the Javadoc of classes with
 * {@link dev.kubeinformer.resource.KubernetesResource} to resources, and also that of the
 * classes of their fields if these belong to the same compilation. It does not claim
 * annotations, and never makes a compilation fail. The compiler creates it.
 */
public final class DescriptionProcessor extends AbstractProcessor {

	private static final String RESOURCE = "dev.kubeinformer.resource.KubernetesResource";

	/** Packages whose classes are never part of the compilation. */
	private static final List<String> LIBRARIES = List.of("java.", "javax.", "jakarta.", "kotlin.", "io.kubernetes.");

	private final Set<String> visited = new HashSet<>();

	/**
	 * Creates the processor.
	 */
	public DescriptionProcessor() {
	}

	@Override
	public Set<String> getSupportedAnnotationTypes() {
		return Set.of(RESOURCE);
	}

	@Override
	public SourceVersion getSupportedSourceVersion() {
		return SourceVersion.latestSupported();
	}

	@Override
	public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
		for (TypeElement annotation : annotations) {
			ElementFilter.typesIn(round.getElementsAnnotatedWith(annotation)).forEach(this::visit);
		}
		return false;
	}

	private void visit(TypeElement type) {
		String name = this.processingEnv.getElementUtils().getBinaryName(type).toString();
		if (LIBRARIES.stream().anyMatch(name::startsWith) || !this.visited.add(name)) {
			return;
		}
		try {
			write(type, name);
		}
		catch (IOException | RuntimeException ex) {
			// Not a warning, which may fail a build.
			this.processingEnv.getMessager()
				.printMessage(Diagnostic.Kind.NOTE, "No descriptions of '%s' are written: %s".formatted(name, ex));
		}
		visit(type.getSuperclass());
		fields(type).forEach((field) -> visit(field.asType()));
	}

	private static List<VariableElement> fields(TypeElement type) {
		return ElementFilter.fieldsIn(type.getEnclosedElements())
			.stream()
			.filter((field) -> field.getKind() == ElementKind.FIELD && !field.getModifiers().contains(Modifier.STATIC))
			.toList();
	}

	private void visit(TypeMirror type) {
		if (type instanceof ArrayType array) {
			visit(array.getComponentType());
		}
		else if (type instanceof WildcardType wildcard && wildcard.getExtendsBound() != null) {
			visit(wildcard.getExtendsBound());
		}
		else if (type instanceof DeclaredType declared && declared.asElement() instanceof TypeElement element) {
			declared.getTypeArguments().forEach(this::visit);
			visit(element);
		}
	}

	private void write(TypeElement type, String name) throws IOException {
		Map<String, String> descriptions = descriptions(type);
		if (descriptions.isEmpty()) {
			// Also of a class that is not compiled now, which has no comments.
			return;
		}
		try (Writer writer = this.processingEnv.getFiler()
			.createResource(StandardLocation.CLASS_OUTPUT, "", DescriptionFile.path(name), type)
			.openWriter()) {
			DescriptionFile.write(writer, descriptions);
		}
	}

	private Map<String, String> descriptions(TypeElement type) {
		Map<String, String> descriptions = new TreeMap<>();
		String comment = comment(type);
		descriptions.put(DescriptionFile.CLASS, JavadocText.of(comment));
		Map<String, String> components = (type.getKind() == ElementKind.RECORD) ? JavadocText.params(comment)
				: Map.of();
		for (VariableElement field : fields(type)) {
			String name = field.getSimpleName().toString();
			String text = JavadocText.of(comment(field));
			descriptions.put(name, text.isEmpty() ? components.getOrDefault(name, "") : text);
		}
		descriptions.values().removeIf(String::isEmpty);
		return descriptions;
	}

	private String comment(Element element) {
		String comment = this.processingEnv.getElementUtils().getDocComment(element);
		return (comment != null) ? comment : "";
	}

}
