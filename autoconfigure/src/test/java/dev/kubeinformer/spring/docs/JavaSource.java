package dev.kubeinformer.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.EndElementTree;
import com.sun.source.doctree.EntityTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ReturnTree;
import com.sun.source.doctree.StartElementTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;

/**
 * The types of a source file with what their Javadoc says, as Markdown.
 *
 * @param pack the name of the package
 * @param types the types of the file, nested ones after the one that they are in
 */
record JavaSource(String pack, List<Type> types) {

	/**
	 * Reads a source file. It is parsed alone, and nothing is resolved.
	 * @param file the file
	 * @return its types
	 */
	static JavaSource of(Path file) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
					files.getJavaFileObjects(file));
			CompilationUnitTree unit = task.parse().iterator().next();
			List<Type> types = new ArrayList<>();
			Reader reader = new Reader(DocTrees.instance(task), unit);
			unit.getTypeDecls().forEach((tree) -> reader.read(new TreePath(new TreePath(unit), tree), types));
			return new JavaSource(unit.getPackageName().toString(), types);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Type type() {
		return this.types.get(0);
	}

	/**
	 * A type.
	 *
	 * @param name the simple name
	 * @param description the description
	 * @param annotations the annotations, by simple name, as they are written
	 * @param members the methods, components or constants
	 */
	record Type(String name, String description, Map<String, String> annotations, List<Member> members) {

	}

	/**
	 * A method of an annotation or class, a component of a record or a constant of an
	 * enum.
	 *
	 * @param name the name
	 * @param type the type as it is written, without annotations
	 * @param nullable whether it may be {@code null}
	 * @param value the default as it is written; blank if there is none
	 * @param description the description
	 */
	record Member(String name, String type, boolean nullable, String value, String description) {

	}

	private static final class Reader {

		private final DocTrees docs;

		private final CompilationUnitTree unit;

		private Reader(DocTrees docs, CompilationUnitTree unit) {
			this.docs = docs;
			this.unit = unit;
		}

		private void read(TreePath path, List<Type> types) {
			if (!(path.getLeaf() instanceof ClassTree tree)) {
				return;
			}
			DocCommentTree doc = this.docs.getDocCommentTree(path);
			Map<String, String> parameters = parameters(doc);
			Map<String, String> annotations = new LinkedHashMap<>();
			for (AnnotationTree annotation : tree.getModifiers().getAnnotations()) {
				annotations.put(annotation.getAnnotationType().toString(),
						annotation.getArguments()
							.stream()
							.map((argument) -> argument.toString().replaceFirst("^value = ", ""))
							.collect(Collectors.joining(", ")));
			}
			List<Member> members = new ArrayList<>();
			types.add(new Type(tree.getSimpleName().toString(), body(doc), annotations, members));
			for (Tree member : tree.getMembers()) {
				TreePath place = new TreePath(path, member);
				if (tree.getKind() == Tree.Kind.RECORD && member instanceof VariableTree component
						&& !component.getModifiers().getFlags().contains(Modifier.STATIC)) {
					members.add(component(component, parameters));
				}
				else if (tree.getKind() == Tree.Kind.ENUM && member instanceof VariableTree constant
						&& constant.getType().toString().equals(tree.getSimpleName().toString())) {
					members.add(new Member(constant.getName().toString(), "", false, "", body(commentAt(place))));
				}
				else if (tree.getKind() == Tree.Kind.ANNOTATION_TYPE && member instanceof MethodTree method) {
					String value = (method.getDefaultValue() != null) ? method.getDefaultValue().toString() : "";
					members.add(new Member(method.getName().toString(), method.getReturnType().toString(), false, value,
							text(commentAt(place))));
				}
				read(place, types);
			}
		}

		private DocCommentTree commentAt(TreePath place) {
			return this.docs.getDocCommentTree(place);
		}

		private static Member component(VariableTree component, Map<String, String> parameters) {
			boolean nullable = component.toString().contains("@Nullable");
			String type = component.getType().toString().replaceAll("@\\w+ ", "");
			String name = component.getName().toString();
			return new Member(name, type, nullable, "", parameters.getOrDefault(name, ""));
		}

		private static Map<String, String> parameters(DocCommentTree doc) {
			Map<String, String> parameters = new LinkedHashMap<>();
			if (doc != null) {
				for (DocTree tag : doc.getBlockTags()) {
					if (tag instanceof ParamTree parameter) {
						parameters.put(parameter.getName().toString(), markdown(parameter.getDescription()));
					}
				}
			}
			return parameters;
		}

		/**
		 * The description of a method, with what it returns where that says more.
		 */
		private static String text(DocCommentTree doc) {
			String body = body(doc).replaceFirst("^Returns (\\w)", "$1");
			String result = "";
			if (doc != null) {
				for (DocTree tag : doc.getBlockTags()) {
					if (tag instanceof ReturnTree returned) {
						result = markdown(returned.getDescription());
					}
				}
			}
			body = body.substring(0, 1).toUpperCase(Locale.ROOT) + body.substring(1);
			int more = result.indexOf("; ");
			if (more > 0) {
				return body + " " + result.substring(more + 2, more + 3).toUpperCase(Locale.ROOT)
						+ result.substring(more + 3) + ".";
			}
			return body;
		}

		private static String body(DocCommentTree doc) {
			return (doc != null) ? markdown(doc.getFullBody()) : "";
		}

		private static String markdown(List<? extends DocTree> trees) {
			StringBuilder text = new StringBuilder();
			boolean example = false;
			for (DocTree tree : trees) {
				if (isElement(tree, "pre")) {
					example = tree instanceof StartElementTree;
				}
				else if (example) {
					continue;
				}
				else if (tree instanceof TextTree plain) {
					text.append(plain.getBody().replaceAll("\\s+", " "));
				}
				else if (tree instanceof LiteralTree literal) {
					text.append('`').append(literal.getBody().getBody().replaceAll("\\s+", " ")).append('`');
				}
				else if (tree instanceof LinkTree link) {
					String name = link.getReference().getSignature();
					text.append('`')
						.append(name.replaceFirst("^[a-z.]+\\.(?=[A-Z])", "").replaceFirst("^#", "").replace('#', '.'));
					text.append('`');
				}
				else if (tree instanceof EntityTree entity) {
					text.append('&').append(entity.getName()).append(';');
				}
				else if (tree instanceof StartElementTree start) {
					text.append(start(start.getName().toString()));
				}
				else if (tree instanceof EndElementTree end && end.getName().contentEquals("code")) {
					text.append('`');
				}
			}
			return text.toString().strip().replaceAll(" *\n *", "\n").replaceAll("\n{3,}", "\n\n");
		}

		private static boolean isElement(DocTree tree, String name) {
			return (tree instanceof StartElementTree start && start.getName().contentEquals(name))
					|| (tree instanceof EndElementTree end && end.getName().contentEquals(name));
		}

		private static String start(String element) {
			return switch (element) {
				case "code" -> "`";
				case "p", "ul" -> "\n\n";
				case "li" -> "\n- ";
				default -> "";
			};
		}

	}

}
