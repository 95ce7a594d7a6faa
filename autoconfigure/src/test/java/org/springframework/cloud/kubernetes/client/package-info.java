/** Stand-in for Spring Cloud Kubernetes in tests. */
@NullMarked
package org.springframework.cloud.kubernetes.client;

import org.jspecify.annotations.NullMarked;
