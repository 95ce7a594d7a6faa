/**
 * Maven plugin that writes the Kubernetes manifests of a Spring Boot application.
 */
@NullMarked
package dev.kubeinformer.maven;

import org.jspecify.annotations.NullMarked;
